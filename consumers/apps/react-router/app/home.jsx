import { View } from '../src/view.js'

// biome-ignore lint/style/noDefaultExport: React Router asks for one.
export default function Home() {
  return <View />
}
