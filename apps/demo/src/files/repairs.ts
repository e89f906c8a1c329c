/**
 * What to do about a file whose rows do not fit its header, or whose delimiter is in doubt, by what the tool said of it.
 * The planner can read each of these texts, and so can a language model.
 */
export function repairsOf(file: string, said: string): readonly string[] {
  const [, others = ''] = /its header also has ([a-z, ]+)\./.exec(said) ?? []
  const delimiters = others.match(/[a-z]+s(?=,|$| and)/g) ?? []
  return [
    ...delimiters.map((name) => `load ${file} with ${name}`),
    ...(/left out, padded with empty values, or shown/.test(said)
      ? [
          `load ${file} without ragged rows`,
          `load ${file} with padded rows`,
          `load only the ragged rows of ${file}`,
        ]
      : []),
  ]
}
