/** How many own tables wait for a move: in the title of the tab, and on the sign of the installed app. */

export const turns = $state({ waiting: 0 })

export function noteTurns(waiting: number): void {
  turns.waiting = waiting
  if ('setAppBadge' in navigator) void navigator.setAppBadge(waiting).catch(() => null)
}

if ('serviceWorker' in navigator) {
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ waiting?: number }>) => {
    if (typeof data?.waiting === 'number') turns.waiting = data.waiting // the worker has put it on the sign
  })
}
