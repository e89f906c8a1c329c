import type { AnswerPlan, Plan, SubPlan } from './plan.ts'

/** A plan in a form for people: one line for each thing, without defaults. */
export function readable(plan: Plan): string {
  const {
    seed,
    options,
    answers,
    sub,
    audience,
    loads,
    files,
    pages,
    starts,
    actions,
    appends,
    volatile,
    diskMs,
    leaves,
  } = plan
  const lines = [
    `seed ${seed}${volatile ? ', no storage' : ''}${leaves ? ', leaves what waits' : ''}${diskMs ? `, appends take ${diskMs} ms` : ''}`,
    ...Object.entries(options).map(([name, value]) => `option  ${name} = ${text(value)}`),
    ...linesOf('answer ', answers),
    ...(sub ? subLines(sub) : []),
    ...(audience ?? []).map((one) => `listens ${text(one)}`),
    ...starts.map(({ worker, fault }) => `worker  ${worker}: ${fault}`),
    ...appends.map(({ append, fault, ms }) => `append  ${append}: ${fault}, ${ms} ms`),
    ...(loads ?? []).map(({ load, fault }) => `load    ${load}: ${fault}`),
    ...(files ?? []).map(({ file, fault, ms }) => `file    ${file}: ${fault}, ${ms} ms`),
    ...(pages
      ? [
          `pages   ${pages.ownLocks ? 'do not know of locks of others' : 'share locks'}`,
          ...(pages.fullClaim === undefined ? [] : [`claim   ${pages.fullClaim}: full`]),
        ]
      : []),
    ...(pages?.messages ?? []).map(
      ({ message, fault, ms }) => `message ${message}: ${fault}, ${ms} ms`,
    ),
    ...actions.map(({ at, do: what, ...rest }) => `user    at ${text(at)}: ${what}${extra(rest)}`),
  ]
  return lines.map((line) => `  ${line}`).join('\n')
}

function subLines({ answers, deeper, ...limits }: SubPlan): readonly string[] {
  return [
    `agents  in calls${extra(limits)}`,
    ...linesOf('inner  ', answers),
    ...linesOf('deeper ', deeper),
  ]
}

function linesOf(who: string, answers: readonly AnswerPlan[]): readonly string[] {
  return answers.flatMap(({ parts, end, ...rest }, index) => [
    `${who} ${index + 1}: ends ${text(end)}${extra(rest)}`,
    ...parts.map((part) => `          ${text(part)}`),
  ])
}

function extra(rest: object): string {
  return Object.keys(rest).length === 0 ? '' : `, ${text(rest)}`
}

/** JSON without quotes where they are not needed. */
function text(value: unknown): string {
  return JSON.stringify(value)
    .replace(/"(\w+)":/g, '$1: ')
    .replace(/"(\w+)"/g, '$1')
    .replace(/,/g, ', ')
    .replace(/^\{(.*)\}$/, '$1')
}
