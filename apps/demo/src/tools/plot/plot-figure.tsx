import { type ReactNode, useId } from 'react'
import type { PlotOutput } from './plot-definition.ts'
import { useFittedPlot } from './use-fitted-plot.ts'

const markColor = 'var(--plot-mark, #2563eb)'

/** A plot as an image with a name and a description, and as a table. */
export function PlotFigure({ plot }: { readonly plot: PlotOutput }): ReactNode {
  const id = useId()
  const { figure, fitted } = useFittedPlot(plot)
  return (
    <figure className="plot" ref={figure}>
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

function Marks({ plot }: Part): ReactNode {
  const isBar = plot.kind === 'bar'
  return (
    <g className={isBar ? 'plot-bars' : 'plot-line'} fill={markColor}>
      {!isBar && <path d={plot.path} fill="none" stroke={markColor} strokeWidth={2} />}
      {plot.marks.map(({ label, value, x, y, width, height }) => {
        if (value === null) return null
        const title = `${label}: ${value.toLocaleString('en')}`
        return isBar ? (
          <rect key={x} x={x} y={y} width={width} height={height}>
            <title>{title}</title>
          </rect>
        ) : (
          <circle key={x} cx={x} cy={y} r={3}>
            <title>{title}</title>
          </circle>
        )
      })}
    </g>
  )
}

function PlotTable({ plot }: Part): ReactNode {
  return (
    <table>
      <caption>{plot.title}</caption>
      <thead>
        <tr>
          <th scope="col">{plot.xLabel ?? 'Name'}</th>
          <th scope="col">{plot.yLabel ?? 'Value'}</th>
        </tr>
      </thead>
      <tbody>
        {plot.marks.map(({ label, value, x }) => (
          <tr key={x}>
            <th scope="row">{label}</th>
            <td>{value === null ? 'none' : value.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function describe({ kind, marks }: PlotOutput): string {
  const known = marks.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }]))
  const lowest = known.reduce((least, mark) => (mark.value < least.value ? mark : least))
  const highest = known.reduce((most, mark) => (mark.value > most.value ? mark : most))
  const missing = marks.length - known.length
  const sentences = [
    `A ${kind} chart of ${marks.length} ${marks.length === 1 ? 'point' : 'points'}.`,
    `Lowest: ${lowest.label}, ${lowest.value.toLocaleString('en')}.`,
    `Highest: ${highest.label}, ${highest.value.toLocaleString('en')}.`,
    ...(missing > 0 ? [`Without a value: ${missing}.`] : []),
  ]
  return sentences.join(' ')
}
