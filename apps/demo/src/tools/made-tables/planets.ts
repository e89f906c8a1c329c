export const planetColumns = [
  { name: 'planet', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'diameter_km', type: 'integer' },
  { name: 'distance_km', type: 'integer' },
  { name: 'mass', type: 'real' },
  { name: 'orbit_days', type: 'real' },
  { name: 'day_hours', type: 'real' },
  { name: 'temperature_c', type: 'integer' },
] as const

/** Figures of NASA's planetary fact sheets, rounded as there. The mass is in masses of the Earth. */
export const planets = [
  ['Mercury', 'rocky', 4879, 57_900_000, 0.0553, 88, 4222.6, 167],
  ['Venus', 'rocky', 12_104, 108_200_000, 0.815, 224.7, 2802, 464],
  ['Earth', 'rocky', 12_756, 149_600_000, 1, 365.2, 24, 15],
  ['Mars', 'rocky', 6792, 228_000_000, 0.107, 687, 24.7, -65],
  ['Jupiter', 'gas giant', 142_984, 778_500_000, 317.8, 4331, 9.9, -110],
  ['Saturn', 'gas giant', 120_536, 1_432_000_000, 95.2, 10_747, 10.7, -140],
  ['Uranus', 'ice giant', 51_118, 2_867_000_000, 14.5, 30_589, 17.2, -195],
  ['Neptune', 'ice giant', 49_528, 4_515_000_000, 17.1, 59_800, 16.1, -200],
]
