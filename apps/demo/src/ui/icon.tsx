import type { ReactNode } from 'react'

const paths = {
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  alert: 'M8 4.5v4.25M8 11.4v.1M8 1.75a6.25 6.25 0 100 12.5 6.25 6.25 0 000-12.5z',
  arc: 'M8 1.75A6.25 6.25 0 0114.25 8',
  clock: 'M8 4.5V8l2.25 1.75M8 1.75a6.25 6.25 0 100 12.5 6.25 6.25 0 000-12.5z',
  pen: 'M3 13l.6-2.9 7.3-7.3a1.3 1.3 0 011.85 0l.45.45a1.3 1.3 0 010 1.85L5.9 12.4 3 13z',
  hand: 'M8 1.75a6.25 6.25 0 100 12.5 6.25 6.25 0 000-12.5zM6.4 5.75v4.5M9.6 5.75v4.5',
  slash: 'M8 1.75a6.25 6.25 0 100 12.5 6.25 6.25 0 000-12.5zM3.8 3.8l8.4 8.4',
  skip: 'M3.5 4l5 4-5 4V4zM12 4v8',
  broken: 'M1.75 8h3.5l1.25-3M14.25 8h-3.5L9.5 11',
  chevron: 'M4.5 6.25L8 9.75l3.5-3.5',
  clip: 'M13 7.4l-5.3 5.3a3.1 3.1 0 01-4.4-4.4l5.5-5.5a2.1 2.1 0 013 3L6.4 11.1a1 1 0 01-1.5-1.5L10 4.6',
  up: 'M8 13V3.5M3.75 7.5L8 3.25l4.25 4.25',
  down: 'M8 3v9.5M3.75 8.5L8 12.75 12.25 8.5',
  square: 'M4.75 4.75h6.5v6.5h-6.5z',
  sun: 'M8 5.25a2.75 2.75 0 100 5.5 2.75 2.75 0 000-5.5zM8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13.5 9.6A5.9 5.9 0 016.4 2.5a5.9 5.9 0 107.1 7.1z',
  auto: 'M8 1.75a6.25 6.25 0 100 12.5 6.25 6.25 0 000-12.5zM8 1.75v12.5M8 4.5l4.4-.1M8 8h6M8 11.5l4.4.1',
  waterfall: 'M2.5 4h5M5.5 8h6M9.5 12h4',
  file: 'M4 1.75h5l3.25 3.25v9.25H4zM9 1.75V5h3.25',
  copy: 'M5.75 5.75h8v8h-8zM10.25 5.75v-3.500h-8v8h3.500',
  again: 'M13.25 8a5.25 5.25 0 11-1.600-3.750M13.500 1.750v3h-3',
  fork: 'M5 2.5v11M5 9.5c4 0 6-1.5 6-4.75M8.5 7L11 4.5 13.5 7',
  queue: 'M2.500 4h11M2.500 8h11M2.500 12h6.500',
  dots: 'M3.250 8v.01M8 8v.01M12.750 8v.01',
  left: 'M9.750 4.500L6.250 8l3.500 3.500',
  right: 'M6.250 4.500L9.750 8l-3.500 3.500',
  download: 'M8 2v8M4.75 7L8 10.25 11.25 7M2.75 13.25h10.5',
} as const

export type IconName = keyof typeof paths

/** A decorative icon beside text. It is hidden from assistive technology. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" data-icon={name} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
