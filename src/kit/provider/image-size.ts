import { InvalidRequest } from '../../errors/gateway-error.ts'

/** In points. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/**
 * Reads `1536x1024`.
 * @returns nothing where the choice is the model's: `auto`, or absent
 * @throws InvalidRequest for what is no size
 */
export const imageSize = (size: unknown): ImageSize | undefined => {
  if (size === undefined || size === null || size === 'auto') return undefined
  const [, width = '', height = ''] = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(String(size)) ?? []
  if (width !== '') return { width: Number(width), height: Number(height) }
  throw new InvalidRequest('`size` must be a width and a height, such as `1024x1024`, or `auto`.', { param: 'size' })
}

/** For a provider that is told the shape of an image instead of its size. */
export interface NearestRatio {
  /** As the provider writes it: `3:2`. */
  readonly ratio: string
  /** False where the image gets another shape than was asked for, which is to be named. */
  readonly isExact: boolean
}

/** The shape that comes nearest to a size. @param ratios that there are, at least one: `16:9` */
export const nearestRatio = (size: ImageSize, ratios: readonly string[]): NearestRatio => {
  const ratio = ratios.reduce((best, each) => (distance(each, size) < distance(best, size) ? each : best))
  return { ratio, isExact: distance(ratio, size) < 0.001 }
}

/** How much longer or shorter, the same for an image on its side. */
const distance = (ratio: string, { width, height }: ImageSize): number => {
  const [across = '1', down = '1'] = ratio.split(':')
  return Math.abs(Math.log((Number(across) * height) / (Number(down) * width)))
}
