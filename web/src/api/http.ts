/** Requests to the server. A refusal is thrown as `Refused`, with a code to be said in words. */

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
  let reply: Response
  try {
    reply = await fetch(API + path, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch {
    throw new Refused({ code: 'offline', params: {} })
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

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path)
export const post = <T>(path: string, body: unknown = {}): Promise<T> => ask<T>('POST', path, body)
export const put = <T>(path: string, body: unknown = {}): Promise<T> => ask<T>('PUT', path, body)
export const remove = <T>(path: string): Promise<T> => ask<T>('DELETE', path)
