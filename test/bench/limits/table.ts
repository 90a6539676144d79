export interface Row {
  readonly metric: string
  readonly target: string
  readonly measured: string
  /** Undefined where there is no target. */
  readonly met: boolean | undefined
}

/** What has no target. */
export const plain = (metric: string, measured: string): Row => ({ metric, target: '', measured, met: undefined })

/** As in Markdown. */
export const toTable = (rows: readonly Row[]): string =>
  [
    '| Metric | Target | Measured | Met |',
    '|---|---|---|---|',
    ...rows.map(({ metric, target, measured, met }) => {
      const verdict = met === undefined ? '' : met ? 'yes' : 'no'
      return `| ${metric} | ${target} | ${measured} | ${verdict} |`
    }),
  ].join('\n')

export const us = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} µs`
export const ms = (valueUs: number): string => `${(valueUs / 1_000).toFixed(3)} ms`
