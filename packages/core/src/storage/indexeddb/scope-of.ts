/** What names of locks and keys begin with for a database. No two databases and sessions then have one name together. */
export function scopeOf(name: string): string {
  // Locks may not begin with a hyphen.
  return name.replaceAll(/[%:]|^-/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}
