/** A price of one: whole picodollars (10⁻¹² dollars), and what is left of it in millionths of one. Both are integers. */
export interface Rate {
  readonly whole: number
  readonly rest: number
}

/** Millionths of a picodollar in a cent. */
const CENT_EXPONENT = 16
const PER_PICODOLLAR = 1_000_000

/** The number as it is written: fractions of two are no prices. */
const decimalOf = (value: number): { readonly digits: bigint; readonly exponent: number } => {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/** The nearest integer; of two that are as near the even one. */
export const halfEven = (numerator: bigint, denominator: bigint): bigint => {
  const [quotient, left] = [numerator / denominator, numerator % denominator]
  const twice = left * 2n
  return twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient
}

/**
 * Cents for one, times a factor, to the 10⁻¹⁸ of a dollar.
 * @param cents not negative, as published: `0.00025`
 */
export const toRate = (cents: number, factor = 1): Rate => {
  const [one, other] = [decimalOf(cents), decimalOf(factor)]
  const digits = one.digits * other.digits
  const exponent = one.exponent + other.exponent + CENT_EXPONENT
  const millionths = exponent >= 0 ? digits * 10n ** BigInt(exponent) : halfEven(digits, 10n ** BigInt(-exponent))
  const unit = BigInt(PER_PICODOLLAR)
  return { whole: Number(millionths / unit), rest: Number(millionths % unit) }
}

/** A sum in dollars as whole picodollars. */
export const toPicodollars = (dollars: number): number => {
  const sum = new TokenSum()
  sum.add(1, toRate(dollars, 100))
  return sum.rounded()
}

/** What tokens cost, added up and rounded once. Counts are integers, in all no more than 8 × 10⁹. */
export class TokenSum {
  #whole = 0
  #rest = 0

  add(count: number, rate: Rate): void {
    this.#whole += count * rate.whole
    this.#rest += count * rate.rest
  }

  /** Picodollars. Beyond `Number.MAX_SAFE_INTEGER` it is no longer exact. */
  rounded(): number {
    const left = this.#rest % PER_PICODOLLAR
    const whole = this.#whole + (this.#rest - left) / PER_PICODOLLAR
    return left * 2 > PER_PICODOLLAR || (left * 2 === PER_PICODOLLAR && whole % 2 === 1) ? whole + 1 : whole
  }
}

/** Counts of units may be fractions, such as seconds: they are taken to the millionth. */
const PER_UNIT = 1_000_000

/** What other things cost, added up and rounded once. */
export class UnitSum {
  #sum = 0n

  add(count: number, { whole, rest }: Rate): void {
    this.#sum += BigInt(Math.round(count * PER_UNIT)) * (BigInt(whole) * BigInt(PER_PICODOLLAR) + BigInt(rest))
  }

  rounded(): number {
    return this.#sum === 0n ? 0 : Number(halfEven(this.#sum, BigInt(PER_UNIT) * BigInt(PER_PICODOLLAR)))
  }
}
