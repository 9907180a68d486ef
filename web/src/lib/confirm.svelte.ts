/** Deeds for which the server wants the password once more: it is asked for, and the deed is done again. */

import { post, Refused } from '../api/http'
import type { Confirmation } from '../api/messages'

class Asking {
  again = $state<(() => Promise<void>) | null>(null) // what is to be done when the password was right
  needsCode = $state(false)

  /** Do something; if the server wants the password first, open the dialog. */
  async confirmed(deed: () => Promise<void>): Promise<void> {
    try {
      await deed()
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.code !== 'confirm_password') throw error
      this.again = deed
    }
  }

  /** The answer of the dialog; throws if it was not right. */
  async answer(password: string, code: string): Promise<void> {
    try {
      await post('/confirm', { password, code: code || null } satisfies Confirmation)
    } catch (error) {
      if (error instanceof Refused && error.problem.code === 'code_needed') this.needsCode = true
      throw error
    }
    const deed = this.again
    this.cancel()
    await deed?.()
  }

  cancel(): void {
    this.again = null
    this.needsCode = false
  }
}

export const asking = new Asking()
