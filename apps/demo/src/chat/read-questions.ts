/** A block of code named `ask` holds questions, one a line. At the end of a text it may still be open. */
const offers = /^```(?:ask\n(?:(?:([\s\S]*?)\n)?```$|([\s\S]*))|(?:a|as|ask)(?![\s\S]))/gm

const mostQuestions = 12
const longestQuestion = 300

/**
 * The text of an answer, and the questions in it, which are offered to be asked with a click. `growing`: more will
 * follow, so a block that is still open is not shown yet.
 */
export function readQuestions(text: string, growing: boolean) {
  const questions = new Set<string>()
  const rest = text.replaceAll(offers, (fence: string, inside?: string, open?: string) => {
    const isOpen = open !== undefined || !fence.includes('\n')
    if (isOpen && !growing) return fence
    const lines = (inside ?? open ?? '').split('\n').filter((line) => line !== '')
    // More, or longer ones, are no buttons: they stay a block of code.
    if (lines.length + questions.size > mostQuestions) return fence
    if (lines.some(({ length }) => length > longestQuestion)) return fence
    if (!isOpen) for (const line of lines) questions.add(line)
    return ''
  })
  return { text: rest, questions: [...questions] }
}
