import fc from 'fast-check'

/** A value in the given percentage of plans, else `null`. Shrinks to `null`. */
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

/** Small in two of three plans, large in the others: most bugs need few steps, some need many. Shrinks to small. */
export function mostly<Value>(
  small: fc.Arbitrary<Value>,
  large: fc.Arbitrary<Value>,
): fc.Arbitrary<Value> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: small },
    { weight: 1, arbitrary: large },
  )
}
