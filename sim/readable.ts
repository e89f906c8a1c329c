import type { Plan } from './plan.ts'

/** A plan as people read it: one line for each thing, nothing that says nothing. */
export function readable(plan: Plan): string {
  const { seed, options, answers, starts, actions, appends, volatile, diskMs, leaves } = plan
  const lines = [
    `seed ${seed}${volatile ? ', no storage' : ''}${leaves ? ', leaves what waits' : ''}${diskMs ? `, appends take ${diskMs} ms` : ''}`,
    ...Object.entries(options).map(([name, value]) => `option  ${name} = ${text(value)}`),
    ...answers.flatMap(({ parts, end, ...rest }, index) => [
      `answer  ${index + 1}: ends ${text(end)}${extra(rest)}`,
      ...parts.map((part) => `          ${text(part)}`),
    ]),
    ...starts.map(({ worker, fault }) => `worker  ${worker}: ${fault}`),
    ...appends.map(({ append, fault, ms }) => `append  ${append}: ${fault}, ${ms} ms`),
    ...actions.map(({ at, do: what, ...rest }) => `user    at ${text(at)}: ${what}${extra(rest)}`),
  ]
  return lines.map((line) => `  ${line}`).join('\n')
}

function extra(rest: object): string {
  return Object.keys(rest).length === 0 ? '' : `, ${text(rest)}`
}

/** JSON without the noise. */
function text(value: unknown): string {
  return JSON.stringify(value)
    .replace(/"(\w+)":/g, '$1: ')
    .replace(/"(\w+)"/g, '$1')
    .replace(/,/g, ', ')
    .replace(/^\{(.*)\}$/, '$1')
}
