// Characters that make text read differently from what it is: direction overrides, invisible
// spaces, and the tag characters that hide whole sentences. The joiner of emoji stays.
const deceptive =
  /[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|\u{E0000}|[\u{E0001}-\u{E007F}]/gu

/** Text from a model, a tool or a file, without characters that only deceive. */
export function cleanText(text: string): string {
  return text.replace(deceptive, '')
}
