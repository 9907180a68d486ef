/** A file of drawings, by its address. */
declare module '*.svg?no-inline' {
  const address: string
  export default address
}
