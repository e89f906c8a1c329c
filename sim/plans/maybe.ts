import fc from 'fast-check'

/** A value in so many of a hundred plans, else `null`. Shrinks to `null`. */
export function maybe<Value>(
  percent: number,
  arbitrary: fc.Arbitrary<Value>,
): fc.Arbitrary<Value | null> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 100 - percent, arbitrary: fc.constant(null) },
    { weight: percent, arbitrary },
  )
}
