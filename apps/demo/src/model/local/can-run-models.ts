/** Whether this device has a graphics card that models can run on. Loads nothing. */
export async function canRunModels(): Promise<boolean> {
  // Browsers without WebGPU lack it, whatever the types say.
  if (!('gpu' in navigator)) return false
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' })
  // An adapter that computes on the processor would take minutes for a sentence.
  if (adapter === null || adapter.info.isFallbackAdapter) return false
  return adapter.features.has('shader-f16')
}
