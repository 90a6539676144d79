import { basename, join } from 'node:path'
import tailwind from 'bun-plugin-tailwind'

/**
 * All files of the console by name, compressed: what the executable carries, and what a gateway that runs from source makes
 * when somebody looks.
 * @throws Error that names what is wrong with the source
 */
export const bundledFiles = async (): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> => {
  const source = join(import.meta.dir, 'src')
  const { success, logs, outputs } = await Bun.build({
    entrypoints: [join(source, 'main.tsx')],
    target: 'browser',
    // What few pages need is loaded with them.
    splitting: true,
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: '[name]-[hash].[ext]', chunk: 'chunk-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    plugins: [tailwind],
    throw: false,
  })
  if (!success) throw new Error(logs.join('\n'))
  const built = await Promise.all(
    outputs.map(async (each) => [basename(each.path), new Uint8Array(await each.arrayBuffer())] as const),
  )
  const icon = await Bun.file(join(source, 'icon.svg')).bytes()
  const files = [...built, [`icon-${Bun.hash(icon).toString(36)}.svg`, icon] as const]
  return new Map(files.map(([name, bytes]) => [name, Bun.gzipSync(bytes, { level: 9 })]))
}
