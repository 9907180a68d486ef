/** A game is played in one tab at a time: who has it, and how another one gets it. */

const forever = new Promise<never>(() => undefined)

export interface Claim {
  /** The game is this worker's own, from now on. */
  got: () => void
  /** Another tab has it, or has taken it; `got` follows when that tab is done with it. */
  lost: () => void
}

/** Where there are no locks, as on a plain address in the local network, keeping a game shows who was first. */
export function own(id: string, force: boolean, claim: Claim): void {
  const name = `splendor game ${id}`
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return claim.got()
  const hold = (): Promise<never> => {
    claim.got()
    return forever
  }
  const wait = (): void => void locks.request(name, hold).catch(lost)
  const lost = (): void => {
    claim.lost()
    wait()
  }
  void locks.request(name, force ? { steal: true } : { ifAvailable: true }, (lock) => (lock ? hold() : lost())).catch(lost)
}
