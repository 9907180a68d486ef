/**
 * Requests to the server. A refusal is thrown as `Refused`, with a code to be said in words. Where there is no server,
 * or it cannot be reached, the page answers by itself what it can.
 */

import { hasServer } from '../lib/place'
import type { Problem } from './messages'

export const API = '/api'

export class Refused extends Error {
  constructor(
    readonly problem: Problem,
    readonly status = 0,
  ) {
    super(problem.code)
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (!hasServer) return answered<T>(path, body)
  let reply: Response
  try {
    reply = await fetch(API + path, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch {
    return answered<T>(path, body)
  }
  const text = await reply.text()
  let data: unknown = null
  try {
    data = text ? JSON.parse(text) : null
  } catch {
    data = text
  }
  if (!reply.ok) {
    const problem = (data as { error?: Problem } | null)?.error
    throw new Refused(problem ?? { code: `http_${reply.status}`, params: {} }, reply.status)
  }
  return data as T
}

/** What the page says itself; throws Refused. */
async function answered<T>(path: string, body: unknown): Promise<T> {
  const { answer } = await import('../local/answers').catch(() => {
    throw new Refused({ code: 'offline', params: {} })
  })
  return (await answer(path, body)) as T
}

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path)
export const post = <T>(path: string, body: unknown = {}): Promise<T> => ask<T>('POST', path, body)
export const remove = <T>(path: string): Promise<T> => ask<T>('DELETE', path)

/** The lines of a reply, as they come. */
export async function* lines(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (true) {
    const { value, done } = await reader.read()
    if (done) return
    const parts = (rest + value).split('\n')
    rest = parts.pop()!
    for (const part of parts) if (part) yield part
  }
}
