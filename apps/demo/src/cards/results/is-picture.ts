import type { DemoCall } from '../../tools/host-tools.ts'
import { gridOf, tileOf } from './fractal-picture.tsx'

/**
 * Whether the result of a call is a picture. Of the tiles of one picture only the last one counts, because its card
 * shows all of them.
 */
export function isPicture(call: DemoCall): boolean {
  const tile = tileOf(call)
  if (tile) {
    const { columns, rows } = gridOf(tile)
    return tile.column === columns - 1 && tile.row === rows - 1
  }
  return call.toolName === 'plot' || call.toolName === 'edit_image'
}
