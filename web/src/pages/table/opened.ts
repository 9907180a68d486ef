/** What lies open above a table. */
export type Opened = 'menu' | 'resign' | 'log' | 'keys' | 'settings' | 'typed' | 'talk' | null
