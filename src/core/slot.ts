/** A typed place in a call: one stage fills it, later stages read it. */
export interface Slot<T> {
  readonly name: string
  /** The stage that fills it: named when a reader finds it empty. */
  readonly owner: string
  /** Its place among the slots of a call: each slot has one of its own. */
  readonly index: number
  /** Never set; ties the value type to the key. */
  readonly type?: T
}

let defined = 0

/** Once for each slot, when its module is loaded. */
export const defineSlot = <T>(name: string, owner: string): Slot<T> => ({ name, owner, index: defined++ })

/** A stage read a slot that nothing filled: a wrong stage order, so a fault of the operator or of us, not of the client. */
export class MissingSlot extends Error {
  constructor(slot: Slot<unknown>) {
    super(`slot '${slot.name}' is empty: stage '${slot.owner}' fills it and has not run before this one`)
    this.name = 'MissingSlot'
  }
}
