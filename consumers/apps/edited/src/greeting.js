export const greeting = 'first'
