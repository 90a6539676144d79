const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `—` where a value is not known. */
const orDash = <Value>(value: Value | null | undefined, show: (value: Value) => string): string =>
  value === null || value === undefined ? '—' : show(value)

export const count = (value: number | null | undefined): string => orDash(value, (known) => whole.format(known))

export const shortCount = (value: number | null | undefined): string => orDash(value, (known) => compact.format(known))

/** Making a format costs more than using it a hundred times. */
const withDigits = (minimumFractionDigits: number, maximumFractionDigits: number) =>
  new Intl.NumberFormat('en', { minimumFractionDigits, maximumFractionDigits })

const dollarsAndCents = withDigits(2, 2)
const smallDollars = withDigits(2, 6)
const fine = withDigits(0, 2)
const tenths = withDigits(0, 1)

/** @param cents with fractions */
export const money = (cents: number | null | undefined): string =>
  orDash(cents, (known) => {
    const dollars = known / 100
    return `$${(dollars !== 0 && Math.abs(dollars) < 0.01 ? smallDollars : dollarsAndCents).format(dollars)}`
  })

export const duration = (milliseconds: number | null | undefined): string =>
  orDash(milliseconds, (known) =>
    known < 1_000 ? `${(known < 10 ? fine : whole).format(known)} ms` : `${fine.format(known / 1_000)} s`,
  )

/** @param value 0 to 100 */
export const percent = (value: number | null | undefined): string =>
  orDash(value, (known) => `${tenths.format(known)} %`)

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** In the time zone of whoever looks. @param iso RFC 3339 */
export const time = (iso: string | null | undefined): string => orDash(iso, (known) => moment.format(new Date(known)))

const moments = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
})

/** Without its year, for long lists. @param iso RFC 3339 */
export const shortTime = (iso: string): string => moments.format(new Date(iso))

const SIZES = ['B', 'kB', 'MB', 'GB'] as const

/** A size in the largest unit of which it has one. */
export const bytes = (size: number): string => {
  const step = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(size, 1)) / 3))
  return `${(step === 0 ? whole : tenths).format(size / 1000 ** step)} ${SIZES[step]}`
}
