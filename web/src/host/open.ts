/** Which host stands behind a table: the one place that knows. */

import type { Host, Watch } from './host'
import { LocalHost } from './local.svelte'
import { isLocal } from './local-id'
import { SocketHost } from './socket.svelte'

export const openHost = (id: string, watch: Watch): Host => (isLocal(id) ? new LocalHost(id, watch) : new SocketHost(id, watch))
