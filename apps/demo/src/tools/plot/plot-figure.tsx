import {
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { counted } from '../../text/quantity.ts'
import { inPlace } from '../../ui/in-place.ts'
import { createMeasure, layoutPlot } from './layout-plot.ts'
import type { PlotOutput } from './plot-definition.ts'

const markColor = 'var(--plot-mark, #2563eb)'

/** A plot as an image with a name and a description, and as a table. */
export function PlotFigure({ plot }: { readonly plot: PlotOutput }): ReactNode {
  const id = useId()
  const { figure, fitted } = useFittedPlot(plot)
  return (
    <figure className="column plot" ref={figure}>
      <svg
        viewBox={`0 0 ${fitted.width} ${fitted.height}`}
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-desc`}
        fontSize={12}
      >
        <title id={`${id}-title`}>{plot.title}</title>
        <desc id={`${id}-desc`}>{describe(plot)}</desc>
        <Axes plot={fitted} />
        <Marks plot={fitted} />
      </svg>
      <figcaption>{plot.title}</figcaption>
      <details>
        <summary>Show as a table</summary>
        <PlotTable plot={plot} />
      </details>
    </figure>
  )
}

interface Part {
  readonly plot: PlotOutput
}

function Axes({ plot }: Part): ReactNode {
  const { area, xTicks, yTicks, slanted, width, height, xLabel, yLabel } = plot
  return (
    <g className="plot-axes" fill="currentColor">
      {yTicks.map(({ text, at }) => (
        <g key={at}>
          <line
            className="plot-grid"
            x1={area.left}
            x2={area.right}
            y1={at}
            y2={at}
            stroke="currentColor"
            strokeOpacity={0.2}
          />
          <text x={area.left - 8} y={at} textAnchor="end" dominantBaseline="middle">
            {text}
          </text>
        </g>
      ))}
      {xTicks.map(({ text, at }) => (
        <text
          key={at}
          x={at}
          y={area.bottom + 16}
          textAnchor={slanted ? 'end' : 'middle'}
          {...(slanted && { transform: `rotate(-45 ${at} ${area.bottom + 12})` })}
        >
          {text}
        </text>
      ))}
      {xLabel && (
        <text x={(area.left + area.right) / 2} y={height - 4} textAnchor="middle">
          {xLabel}
        </text>
      )}
      {yLabel && (
        <text
          textAnchor="middle"
          transform={`translate(12 ${(area.top + area.bottom) / 2}) rotate(-90)`}
        >
          {yLabel}
        </text>
      )}
      <line
        className="plot-baseline"
        x1={area.left}
        x2={width - 16}
        y1={plot.baseline}
        y2={plot.baseline}
        stroke="currentColor"
      />
    </g>
  )
}

const looks = {
  bar: 'plot-bars',
  histogram: 'plot-bars',
  line: 'plot-line',
  scatter: 'plot-dots',
} as const

function Marks({ plot }: Part): ReactNode {
  const { kind, path, marks } = plot
  return (
    <g className={looks[kind]} fill={markColor}>
      {path !== '' && <path d={path} fill="none" stroke={markColor} strokeWidth={2} />}
      {inPlace(marks, ({ value, x, y, width, height }, at) => {
        if (value === null) return null
        const title = `${nameOf(plot, at)}${kind === 'scatter' ? ', ' : ': '}${value.toLocaleString('en')}`
        return looks[kind] === 'plot-bars' ? (
          <rect x={x} y={y} width={width} height={height}>
            <title>{title}</title>
          </rect>
        ) : (
          <circle cx={x} cy={y} r={3}>
            <title>{title}</title>
          </circle>
        )
      })}
    </g>
  )
}

/** A bin goes from its lower edge to that of the next one. */
function nameOf({ kind, marks }: PlotOutput, at: number): string {
  const label = marks[at]?.label ?? ''
  if (kind !== 'histogram') return label
  const next = marks[at + 1]?.label
  return next === undefined ? `from ${label}` : `${label} to ${next}`
}

function PlotTable({ plot }: Part): ReactNode {
  return (
    <table>
      <caption className="visually-hidden">{plot.title}</caption>
      <thead>
        <tr>
          <th scope="col">{plot.xLabel ?? 'Name'}</th>
          <th scope="col">{plot.yLabel ?? 'Value'}</th>
        </tr>
      </thead>
      <tbody>
        {inPlace(plot.marks, ({ value }, at) => (
          <tr>
            <th scope="row">{nameOf(plot, at)}</th>
            <td>{value === null ? 'none' : value.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function describe(plot: PlotOutput): string {
  const { kind, marks } = plot
  const known = marks.flatMap(({ label, value }, at) =>
    value === null ? [] : [{ label, name: nameOf(plot, at), value }],
  )
  const missing = marks.length - known.length
  const count = counted(marks.length, kind === 'histogram' ? 'bin' : 'point')
  const sentences = [
    `A ${kindNames[kind]} of ${count}.`,
    ...(kind === 'scatter'
      ? [
          rangeOf(
            plot.xLabel ?? 'x',
            known.map(({ label }) => Number(label)),
          ),
          rangeOf(
            plot.yLabel ?? 'y',
            known.map(({ value }) => value),
          ),
        ]
      : extremesOf(known)),
    ...(missing > 0 ? [`Without a value: ${missing}.`] : []),
  ]
  return sentences.join(' ')
}

const kindNames = {
  bar: 'bar chart',
  line: 'line chart',
  scatter: 'scatter plot',
  histogram: 'histogram',
} as const

function rangeOf(name: string, numbers: readonly number[]): string {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  return `${name}: ${low.toLocaleString('en')} to ${high.toLocaleString('en')}.`
}

function extremesOf(
  known: readonly { readonly name: string; readonly value: number }[],
): readonly string[] {
  const lowest = known.reduce((least, mark) => (mark.value < least.value ? mark : least))
  const highest = known.reduce((most, mark) => (mark.value > most.value ? mark : most))
  return [
    `Lowest: ${lowest.name}, ${lowest.value.toLocaleString('en')}.`,
    `Highest: ${highest.name}, ${highest.value.toLocaleString('en')}.`,
  ]
}

/** A plot that is scaled further down cannot be read. */
const leastScale = 0.85
const leastWidth = 240
const narrowHeight = 260

/** The plot, laid out again where its place is too narrow for it: its words stay as large as they are. */
function useFittedPlot(plot: PlotOutput): {
  readonly figure: RefObject<HTMLElement | null>
  readonly fitted: PlotOutput
} {
  const figure = useRef<HTMLElement>(null)
  const [room, setRoom] = useState(plot.width)
  useLayoutEffect(() => {
    const { current } = figure
    if (!current || !('ResizeObserver' in globalThis)) return
    const measure = (): void => setRoom(Math.round(current.clientWidth))
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [])
  const fitted = useMemo(() => layoutIn(plot, room), [plot, room])
  return { figure, fitted }
}

function layoutIn(plot: PlotOutput, room: number): PlotOutput {
  // A place without a width is not shown, or nothing is laid out at all.
  if (room === 0 || room >= plot.width * leastScale) return plot
  const { kind, title, xLabel, yLabel, marks } = plot
  const input = {
    ...{ kind, title },
    labels: marks.map(({ label }) => label),
    values: marks.map(({ value }) => value),
    ...(xLabel !== undefined && { xLabel }),
    ...(yLabel !== undefined && { yLabel }),
  }
  return layoutPlot(input, createMeasure(), {
    width: Math.max(leastWidth, room),
    height: narrowHeight,
  })
}
