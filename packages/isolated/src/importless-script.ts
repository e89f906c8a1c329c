/** What may be between two words of JavaScript. */
const gap = String.raw`(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*$)*`

/**
 * Makes code that imports nothing of any text: of the second kind, where an `import()` for another platform, which never
 * runs here, is the call of a function. With an escape, a word is the same in a text and as a name, and a syntax error
 * as a keyword; and a keyword cannot be written in another way. Only raw templates show it. A part of `workerScript`.
 */
export const importlessScript: string = String.raw`
  const withoutImports = (text) => text
    .replace(/(?<!\\)import(?!\.meta\b)/g, '\\u0069mport')
    .replace(/(?<!\\)from(?=${gap}["'])/gm, '\\u0066rom')
  const withoutDynamicImports = (text) =>
    withoutImports(text.replace(/(?<![\w$\\.])import(?=${gap}\()/gm, 'refuseImport'))
`
