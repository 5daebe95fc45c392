/** The script of all pages for people. Without it, the pages can be read, but copy buttons and the search stay hidden. */
import './copy.ts';
import './search.ts';
