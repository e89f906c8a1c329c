import { defineTool, type ToolInput } from '@offthread/core'
import { z } from 'zod'
import { scalar } from '../definitions.ts'

const kindSchema = z.enum(['bar', 'line', 'scatter', 'histogram'])
const tick = z.object({ text: z.string(), at: z.number() })

/** What a card needs to draw the plot: positions in the units of its `width` and `height`. */
export const plotSchema = z.object({
  kind: kindSchema,
  title: z.string(),
  points: z.number(),
  width: z.number(),
  height: z.number(),
  xLabel: z.string().optional(),
  yLabel: z.string().optional(),
  /** The area of the marks. The axes are around it. */
  area: z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
  xTicks: z.array(tick),
  /** Names below the axis are slanted, because they are too long to stand side by side. */
  slanted: z.boolean(),
  yTicks: z.array(tick),
  /** The height of zero, or of the lowest value shown. */
  baseline: z.number(),
  marks: z.array(
    z.object({
      label: z.string(),
      value: z.number().nullable(),
      x: z.number(),
      y: z.number(),
      width: z.number(),
      height: z.number(),
    }),
  ),
  /** The line as an SVG path, with a gap where a value is missing. Empty for all but lines. */
  path: z.string(),
})

export type PlotOutput = z.output<typeof plotSchema>

export const plot = defineTool({
  name: 'plot',
  label: 'Plot',
  description:
    'Draws a chart for the user, from values you have, such as a query result. Use "bar" to compare categories, "line" for an order such as time, "scatter" for two numbers of each row (labels are the numbers on the x axis), and "histogram" for a distribution (labels are the lower edges of bins of one width, values their counts). At most 200 points; labels and values must be equally long. A missing value is null: give months without rows, too. The user sees the chart; do not describe every point again.',
  inputSchema: z.object({
    kind: kindSchema,
    title: z.string().min(1).max(200),
    labels: z.array(scalar).min(1).max(200),
    values: z.array(z.number().nullable()).min(1).max(200),
    xLabel: z.string().max(100).optional(),
    yLabel: z.string().max(100).optional(),
  }),
  outputSchema: plotSchema,
  place: 'page',
})

export type PlotInput = ToolInput<typeof plot>
