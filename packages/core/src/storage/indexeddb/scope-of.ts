/**
 * The prefix of the names of locks and keys of a database, so that the sessions of two databases never share a name.
 */
export function scopeOf(name: string): string {
  // The name of a lock may not begin with a hyphen.
  return name.replaceAll(/[%:]|^-/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}
