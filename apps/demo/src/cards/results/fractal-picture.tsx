import type { ToolInput } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import { type ReactNode, useCallback } from 'react'
import { type Session, useSession } from '../../session.ts'
import type { renderFractal } from '../../tools/fractal/render-fractal-definition.ts'
import type { DemoCall } from '../../tools/host-tools.ts'
import { isSameJson } from '../by-calls.ts'
import { ArtifactImage } from './artifact-image.tsx'

type State = ReturnType<Session['agent']['getState']>
type Tile = ToolInput<typeof renderFractal>

/** The tiles of one picture put together, each as soon as its call is done. */
export function FractalPicture({ call }: { readonly call: DemoCall }): ReactNode {
  const { agent } = useSession()
  const { toolCallId } = call
  const own = tileOf(call)
  const select = useCallback((state: State) => tilesBeside(state, toolCallId), [toolCallId])
  const tiles = useAgentSelector(agent, select, isSameJson)
  if (!own) return null
  const { columns, rows } = gridOf(own)
  const done = tiles.filter(({ artifactId }) => artifactId !== undefined).length
  return (
    <figure className="column fractal">
      <div
        className="fractal-tiles"
        role="img"
        aria-label={`Mandelbrot set, ${done} of ${columns * rows} tiles`}
        style={{
          gridTemplateColumns: `repeat(${columns}, 1fr)`,
          aspectRatio: `${columns}/${rows}`,
        }}
      >
        {tiles.map(({ column, row, artifactId }) => (
          <div
            key={`${column} ${row}`}
            className="fractal-tile"
            data-done={artifactId !== undefined}
            style={{ gridColumn: column + 1, gridRow: row + 1 }}
          >
            <ArtifactImage artifactId={artifactId} alt="" />
          </div>
        ))}
      </div>
      <figcaption className="quiet">
        {done} of {columns * rows} tiles, each computed by a call in a worker of its own
      </figcaption>
    </figure>
  )
}

/** Which tile of its picture a call computes; nothing for a call that computes none. */
export function tileOf(call: DemoCall): Tile | undefined {
  return call.toolName === 'render_fractal' && call.hasValidArgs ? call.args : undefined
}

export function gridOf({ columns = 4, rows = 2 }: Tile) {
  return { columns, rows }
}

interface PlacedTile {
  readonly column: number
  readonly row: number
  /** The id of the image, once there is one. */
  readonly artifactId: string | undefined
}

function tilesBeside({ messages, toolCalls }: State, toolCallId: string) {
  const own = toolCalls.get(toolCallId)
  const tile = own && tileOf(own)
  const message = messages.findLast(({ id }) => id === own?.messageId)
  if (!tile || message?.role !== 'assistant') return []
  return message.content.flatMap((part): readonly PlacedTile[] => {
    const call = part.type === 'toolCall' ? toolCalls.get(part.toolCallId) : undefined
    const other = call && tileOf(call)
    if (!other || pictureOf(other) !== pictureOf(tile)) return []
    const { column, row } = other
    return [{ column, row, artifactId: call.result?.artifacts?.[0]?.artifactId }]
  })
}

/** What all tiles of a picture have in common. */
function pictureOf({ column: _, row: __, ...picture }: Tile): string {
  return JSON.stringify(Object.entries(picture).sort())
}
