/** The CSV files that a report carries in its links, one after another. */
export function downloads(html: string): string {
  const links = html.matchAll(/href="data:text\/csv;charset=utf-8,([^"]*)"/g);
  return [...links].map(([, text]) => decodeURIComponent(text!.replaceAll("&#39;", "'"))).join("");
}
