const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `—` where a value is not known. */
const orDash = <Value>(value: Value | null | undefined, show: (value: Value) => string): string =>
  value === null || value === undefined ? '—' : show(value)

export const count = (value: number | null | undefined): string => orDash(value, (known) => whole.format(known))

export const shortCount = (value: number | null | undefined): string => orDash(value, (known) => compact.format(known))

/** @param cents with fractions */
export const money = (cents: number | null | undefined): string =>
  orDash(cents, (known) => {
    const dollars = known / 100
    const digits = dollars !== 0 && Math.abs(dollars) < 0.01 ? 6 : 2
    return `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`
  })

export const duration = (milliseconds: number | null | undefined): string =>
  orDash(milliseconds, (known) =>
    known < 1_000
      ? `${Math.round(known)} ms`
      : `${(known / 1_000).toLocaleString('en', { maximumFractionDigits: 2 })} s`,
  )

/** @param value 0 to 100 */
export const percent = (value: number | null | undefined): string =>
  orDash(value, (known) => `${known.toLocaleString('en', { maximumFractionDigits: 1 })} %`)

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** In the time zone of whoever looks. @param iso RFC 3339 */
export const time = (iso: string | null | undefined): string => orDash(iso, (known) => moment.format(new Date(known)))
