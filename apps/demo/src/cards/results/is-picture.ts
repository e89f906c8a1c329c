import type { DemoCall } from '../../tools/host-tools.ts'
import { gridOf, tileOf } from './fractal-picture.tsx'

/** Whether the result of a call is there to be looked at. Of the tiles of a picture the last one shows them all, near to the answer. */
export function isPicture(call: DemoCall): boolean {
  const tile = tileOf(call)
  if (tile) {
    const { columns, rows } = gridOf(tile)
    return tile.column === columns - 1 && tile.row === rows - 1
  }
  return call.toolName === 'plot' || call.toolName === 'edit_image'
}
