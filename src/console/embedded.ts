import type { PackedFiles } from './bundle.ts'

/** What the executable carries: src/build.ts puts the files in the place of this module. From source there are none. */
export const embedded: PackedFiles | undefined = undefined
