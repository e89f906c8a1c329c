/** What is said back to a greeting, to thanks, or to a call for help; undefined for anything else. */
export function greetingFor(question: string): string | undefined {
  const text = question.trim().toLowerCase()
  if (/^(?:(?:many )?thanks|thank you|thx|cheers|great|nice|perfect|cool)\b[^?]{0,40}$/.test(text))
    return 'You are welcome.'
  if (
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|yo)\b[\s\w,!.]{0,20}$/.test(text) &&
    !/\b(?:how|what|which|count|list)\b/.test(text)
  )
    return 'Hello.'
  if (
    /^(?:help|\?+|what can you do|what do you do|who are you|how does this work|what is this|what are you)\b.{0,30}$/.test(
      text,
    )
  )
    return 'This is what I can do.'
  return undefined
}

/** A sentence about what no rule can do; undefined when nothing of that kind is asked. */
export function unsupported(clause: string): string | undefined {
  const word =
    /\b(?:correlat\w*|regress\w*|predict\w*|forecast\w*|standard deviation|std ?dev|variance|percentiles?|quartiles?|outliers?|cluster\w*|translate|weather|(?:than|above|below|over|under) (?:the )?(?:average|mean|median))\b/i.exec(
      clause,
    )?.[0]
  return word === undefined ? undefined : `I have no rule for “${word}”.`
}
