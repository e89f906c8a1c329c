/** @typedef {{ names: string[], undocumentedNames: string[], undocumentedMembers: string[] }} ApiReport */

const declaration =
  /^export (?:declare |abstract )*(?:function|const|class|interface|type|enum|namespace) (\w+)/
const renamed = /^export \{ \w+ as (\w+) \}/
/** A literal member distinguishes the members of a union; its name says all, so it needs no docstring. */
const literalMember = /[:=] (?:'[^']*'|"[^"]*"|true|false|null|\d+);$/

/**
 * What a report of API Extractor exports by name, and what of it has no docstring. Of the signatures of a function
 * one needs it.
 *
 * @param {string} report
 * @returns {ApiReport}
 */
export function readApiReport(report) {
  /** @type {Map<string, boolean>} */
  const documented = new Map()
  /** @type {string[]} */
  const undocumentedMembers = []
  let exported = ''
  let previous = ''
  for (const line of report.split('\n')) {
    const isDocumented = !previous.endsWith('(undocumented)')
    previous = line
    if (/^\S/.test(line)) {
      exported = (declaration.exec(line) ?? renamed.exec(line))?.[1] ?? ''
      documented.set(exported, isDocumented || documented.get(exported) === true)
    } else if (exported !== '' && !isDocumented && !literalMember.test(line)) {
      const [member = ''] = /\w+/.exec(line.replace(/^\s*readonly /, '')) ?? []
      undocumentedMembers.push(`${exported}.${member}`)
    }
  }
  documented.delete('')
  const names = [...documented.keys()]
  return {
    names,
    undocumentedNames: names.filter((name) => !documented.get(name)),
    undocumentedMembers,
  }
}
