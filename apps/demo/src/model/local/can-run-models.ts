/** Why this device cannot run models on a graphics card; nothing if it can. Loads nothing. */
export async function obstacleToModels(): Promise<string | undefined> {
  // Browsers without WebGPU lack it, whatever the types say.
  if (!('gpu' in navigator)) return 'This browser does not compute on the graphics card (WebGPU).'
  const adapter = await fastAdapter().catch(() => null)
  if (adapter === null) return 'The browser found no graphics card to run it on.'
  if (adapter.features.has('shader-f16')) return undefined
  return 'The graphics card has no 16-bit numbers (shader-f16), which the model needs.'
}

/** An adapter that computes on the processor would take minutes for a sentence. */
async function fastAdapter(): Promise<GPUAdapter | null> {
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' })
  return adapter?.info.isFallbackAdapter ? null : adapter
}
