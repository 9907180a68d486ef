import { en } from './en'
export const nb = en
