/**
 * The width an element has, so that charts are drawn at their real size and text stays legible.
 * @module
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** A ref for the element, and its width in pixels; 0 before it is laid out. */
export function useWidth<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
