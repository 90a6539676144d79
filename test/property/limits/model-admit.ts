import type { Admission, Charge } from '../../../src/limits/ring/ring-store.ts'
import {
  checkCaution,
  checkOvershoot,
  checkVerdict,
  fitsNow,
  grainNow,
  type ModelRing,
  recordCharge,
  see,
} from './model-ring.ts'
import { type Digits, find, PLACES, type World } from './model-world.ts'
import { hold } from './subject.ts'

const weightOf = ({ limit }: ModelRing, digit: number): number =>
  [1, 1, 1, 2, 0, Math.ceil(limit.value / 3), limit.value, limit.value + 1][digit] ?? 1

const chargesOf = (world: World, next: Digits): { ring: ModelRing; charge: Charge }[] => {
  const { limits, rings } = world
  const chosen = next(2 ** limits.length) || 1
  const workspace = next(4) === 0 ? 0 : 2
  return limits
    .filter((_, place) => chosen & (1 << place))
    .flatMap((limit) => {
      const ring = rings[limits.indexOf(limit) * PLACES.length + workspace + (next(4) === 0 ? 1 : 0)]
      if (ring === undefined) return []
      const charge = {
        key: ring.key,
        limit: limit.value,
        weight: weightOf(ring, next(8)),
        grain: grainNow(limit),
        shadow: limit.shadow,
      }
      return [{ ring: find(world, ring), charge }]
    })
}

/** I7: a call that waits as long as it was told gets in, and one that waits a millisecond less does not. */
const checkWait = (world: World, charges: readonly Charge[], { verdicts }: Admission): void => {
  const { store, time, tally } = world
  const refusing = verdicts.filter(({ fits }, place) => fits !== 'yes' && charges[place]?.shadow === false)
  const facts = () => ({ charges, verdicts, time })
  hold(
    refusing.every(({ fits, fitMs }) => (fits === 'later') === fitMs > 0),
    'a wait for what fits later, and for nothing else',
    facts,
  )
  if (refusing.some(({ fits }) => fits === 'never')) {
    tally.never += 1
    return
  }
  tally.waits += 1
  const waitMs = Math.max(...refusing.map(({ fitMs }) => fitMs))
  world.aheadMs = waitMs
  hold(store.peek(charges).admitted, 'I7: it fits after the wait', facts)
  world.aheadMs = waitMs - 1
  hold(!store.peek(charges).admitted, 'I7: and not a millisecond sooner', facts)
  world.aheadMs = 0
}

/** Charges one to four rings in one call, and checks what comes back. */
export const admit = (world: World, next: Digits): void => {
  const { store, time, tally } = world
  const asked = chargesOf(world, next)
  const charges = asked.map(({ charge }) => charge)
  const foreseen = next(4) === 0 ? JSON.stringify(store.peek(charges)) : undefined
  const admission = store.admit(charges)
  const facts = () => ({ charges, admission, foreseen, time })
  if (foreseen !== undefined)
    hold(foreseen === JSON.stringify(admission), 'peek says what admit says, and changes nothing', facts)
  const expected = asked.every(({ ring, charge }) => charge.shadow || fitsNow(ring, time, charge.weight) === 'yes')
  hold(admission.admitted === expected, 'I3: admitted when all fit', facts)
  hold(admission.verdicts.length === asked.length, 'one verdict for each charge', facts)
  for (const [place, { ring, charge }] of asked.entries()) {
    const verdict = admission.verdicts[place]
    if (verdict === undefined) continue
    checkVerdict(ring, charge, verdict, expected, time)
    if (verdict.fits === 'later') {
      checkCaution(ring, charge.weight, time)
      tally.later += 1
    }
    if (expected && charge.weight > 0) {
      recordCharge(ring, charge, verdict.index, time)
      world.open.push({ ring, place: ring.log.length - 1, index: verdict.index, weight: charge.weight, debt: 0 })
    } else see(ring, time)
    if (expected && verdict.fits === 'yes') checkOvershoot(ring, time)
  }
  if (expected) tally.admitted += 1
  else checkWait(world, charges, admission)
}
