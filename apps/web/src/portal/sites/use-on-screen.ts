import { type RefObject, useEffect, useState } from 'react';

/** Whether an element is where somebody can see it. */
export function useOnScreen(element: RefObject<Element | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver((entries) =>
      setOnScreen(entries.at(-1)?.isIntersecting === true),
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isOnScreen;
}
