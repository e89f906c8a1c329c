const pages = import.meta.glob<string>(
  ['../../../../../{README,SPEC,REQUIREMENTS}.md', '../../../../../docs/*.md'],
  { query: '?raw', import: 'default', eager: true },
)

/** The documentation of this project, by the names of its files. It is part of the build. */
export const ownDocs: ReadonlyMap<string, string> = new Map(
  Object.entries(pages).map(([path, text]) => [path.replace(/^(?:\.\.\/)+/, ''), text]),
)
