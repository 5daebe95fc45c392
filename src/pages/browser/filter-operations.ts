/** Sets up the field that hides the operations without its words. Returns what hides them again. */
export function filterOperations(shown: HTMLElement): () => void {
  const field = document.querySelector<HTMLInputElement>('#filter');
  const status = document.getElementById('filtered');
  if (field === null || status === null) return () => {};
  const apply = (): void => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const operations = [...shown.querySelectorAll<HTMLElement>('.opblock')];
    for (const operation of operations) {
      const text = operation.querySelector('.opblock-summary')?.textContent?.toLowerCase() ?? '';
      setHidden(operation, !words.every((word) => text.includes(word)));
    }
    for (const group of shown.querySelectorAll<HTMLElement>('.opblock-tag-section')) {
      const own = [...group.querySelectorAll<HTMLElement>('.opblock')];
      setHidden(group, own.length > 0 && own.every(({ hidden }) => hidden));
    }
    const left = operations.filter(({ hidden }) => !hidden).length;
    const text = words.length === 0 ? '' : `${left} of ${operations.length} operations`;
    if (status.textContent !== text) status.textContent = text;
  };
  field.addEventListener('input', apply);
  return apply;
}

/** Changes the page only if needed: the page is watched for changes. */
function setHidden(element: HTMLElement, isHidden: boolean): void {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}
