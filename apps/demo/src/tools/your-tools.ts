/** Tools of your own, each with the place it runs in. See docs/add-a-tool.md. */
export const yourTools = [] as const
