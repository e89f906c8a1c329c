/** What may be between two words of JavaScript. */
const gap = String.raw`(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*$)*`

/**
 * Turns any text into code that imports nothing. `import` and `from` get an escape. In texts and names they stay the
 * same words, but as keywords they become syntax errors, because a keyword cannot have an escape: so code cannot hide
 * one either. The second function first turns each `import()` into the call of a function: it is meant for another
 * platform and never runs here. Only raw templates show the escapes. A part of `workerScript`.
 */
export const importlessScript: string = String.raw`
  const withoutImports = (text) => text
    .replace(/(?<!\\)import(?!\.meta\b)/g, '\\u0069mport')
    .replace(/(?<!\\)from(?=${gap}["'])/gm, '\\u0066rom')
  const withoutDynamicImports = (text) =>
    withoutImports(text.replace(/(?<![\w$\\.])import(?=${gap}\()/gm, 'refuseImport'))
`
