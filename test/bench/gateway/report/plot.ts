import { laneTitle } from '../lanes.ts'
import type { Finding } from '../summary/measurement.ts'
import { digits } from '../summary/metrics.ts'

const WIDTH = 800
/** Some systems have a wide font: the longest title must fit in it, too. */
const LABEL_WIDTH = 340
const VALUE_WIDTH = 130
const ROW = 30
const BAR = 16
const TOP = 56
const BOTTOM = 16

/** Times the next longest bar. */
const CUT_FROM = 3
const CUT_TO = 1.5

const FONT = 'font-family="system-ui, sans-serif"'
/** Of Weir, and of what it is compared with. Both are read on a light page and on a dark one. */
const COLOURS = { own: '#2f7ed8', other: '#8a8f98' }
const INK = '#767c85'

const isOwn = (lane: string): boolean => ['bare', 'governed', 'cached', 'transformed', 'prompt'].includes(lane)

/** CPU per request of each lane as a bar, with a line from the smallest round to the largest. Undefined without figures. */
export const toPlot = (findings: readonly Finding[]): string | undefined => {
  const bars = findings.filter(
    ({ experiment, metric, lane }) => experiment === 'chat' && metric === 'cpu' && lane !== 'upstream',
  )
  if (bars.length === 0) return undefined
  const largest = bars.map(({ value }) => value.max)
  const limit = limitOf(largest)
  const isCut = Math.max(...largest) > limit
  const scale = (value: number): number => (Math.min(value, limit) / limit) * (WIDTH - LABEL_WIDTH - VALUE_WIDTH)
  const height = TOP + bars.length * ROW + BOTTOM
  const rows = bars.map((finding, place) => row(finding, TOP + place * ROW, scale))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="CPU per request of each lane">
<text x="0" y="20" ${FONT} font-size="16" fill="${INK}">CPU per chat request of 4 KB, 64 connections, in microseconds</text>
<text x="0" y="40" ${FONT} font-size="12" fill="${INK}">Less is better. Median of the rounds, smallest to largest; in brackets × the bare proxy.${isCut ? ' The longest bar is cut.' : ''}</text>
${rows.join('\n')}
</svg>
`
}

/** Where the frame ends. One bar many times longer than the next would leave nothing to see of the others: it is cut. */
const limitOf = (values: readonly number[]): number => {
  const [largest = 0, second = largest] = values.toSorted((left, right) => right - left)
  return largest > second * CUT_FROM ? second * CUT_TO : largest
}

const row = ({ lane, value, ratio }: Finding, top: number, scale: (value: number) => number): string => {
  const middle = top + BAR / 2
  const end = LABEL_WIDTH + scale(value.max)
  const text = `${digits(value.median)}${ratio === undefined ? '' : ` (${digits(ratio.median)} ×)`}`
  return [
    `<text x="${LABEL_WIDTH - 10}" y="${middle + 4}" ${FONT} font-size="12" text-anchor="end" fill="${INK}">${escapeXml(laneTitle(lane))}</text>`,
    `<rect x="${LABEL_WIDTH}" y="${top}" width="${fixed(scale(value.median))}" height="${BAR}" fill="${isOwn(lane) ? COLOURS.own : COLOURS.other}"/>`,
    `<line x1="${fixed(LABEL_WIDTH + scale(value.min))}" x2="${fixed(end)}" y1="${middle}" y2="${middle}" stroke="${INK}" stroke-width="2"/>`,
    `<text x="${fixed(end + 8)}" y="${middle + 4}" ${FONT} font-size="12" fill="${INK}">${text}</text>`,
  ].join('\n')
}

const fixed = (value: number): string => value.toFixed(1)

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
