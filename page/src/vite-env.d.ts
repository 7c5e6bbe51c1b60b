declare module "*?worker&url" {
  /** Address of the worker's built script. */
  const address: string;
  export default address;
}
