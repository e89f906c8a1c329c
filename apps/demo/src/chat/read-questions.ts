/** A block of code named `ask` holds questions, one a line. What is not complete yet is not shown. */
const offers = /^```(?:ask\n(?:(?:([\s\S]*?)\n)?```$|[\s\S]*)|(?:a|as|ask)(?![\s\S]))/gm

const mostQuestions = 12
const longestQuestion = 300

/** The text of an answer, and the questions in it, which are offered to be asked with a click. */
export function readQuestions(text: string) {
  const questions = new Set<string>()
  const rest = text.replaceAll(offers, (fence: string, inside: string | undefined) => {
    const lines = (inside ?? '').split('\n').filter((line) => line !== '')
    // More, or longer ones, are no buttons: they stay a block of code.
    if (lines.length + questions.size > mostQuestions) return fence
    if (lines.some(({ length }) => length > longestQuestion)) return fence
    for (const line of lines) questions.add(line)
    return ''
  })
  return { text: rest, questions: [...questions] }
}
