import type { ComponentChildren, VNode } from 'preact';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Badge } from '../../parts/badge.ts';
import { Empty } from '../../parts/notice.ts';
import { grouped } from '../../parts/paged.ts';
import { couponCall } from '../api-call.ts';
import { CardActions } from '../card-actions.ts';
import { Loaded } from '../loaded.ts';
import { dayOf } from '../moment.ts';
import { recordsOf, type School, type SectionProps } from '../school.ts';
import { Table } from '../table.ts';
import { useSearch } from '../use-search.ts';

type Coupon = Records['coupons'];

interface Coupons {
  readonly coupons: readonly Coupon[];
  /** The titles of the courses, by id. */
  readonly titles: ReadonlyMap<string, string>;
}

async function loadCoupons(school: School): Promise<Coupons> {
  const [coupons, products] = await Promise.all([
    recordsOf(school, 'coupons'),
    recordsOf(school, 'products'),
  ]);
  return { coupons, titles: new Map(products.map(({ id, title }) => [id, title])) };
}

/** The coupons of a school. */
export function CouponsSection({ school }: SectionProps): VNode {
  const show = (loaded: Coupons): VNode => html`<${CouponTable} school=${school} loaded=${loaded} />`;
  return html`<${Loaded} load=${() => loadCoupons(school)} keys=${[school.changes]} show=${show} />`;
}

function CouponTable({ school, loaded }: { readonly school: School; readonly loaded: Coupons }): VNode {
  const { coupons, titles } = loaded;
  const textOf = (one: Coupon): string =>
    `${codeOf(one)} ${one.description ?? ''} ${titles.get(one.productId) ?? ''}`;
  const { found, field, key } = useSearch(coupons, textOf, 'coupons');
  if (coupons.length === 0) return html`<${Empty}>${school.name} has no coupons.<//>`;
  const code = (one: Coupon): VNode =>
    html`<strong><code>${codeOf(one)}</code></strong>
      <${CardActions} school=${school} what=${codeOf(one)} collection="coupons" record=${one} call=${couponCall(one)} />`;
  const columns = [
    { title: 'Code', cell: code },
    { title: 'Discount', isNumber: true, cell: discountOf },
    {
      title: 'Limit',
      isNumber: true,
      cell: ({ numberOfRedemptionsAllowed: limit }: Coupon) => (limit === undefined ? '–' : grouped(limit)),
    },
    { title: 'Expires', cell: (one: Coupon) => expiryOf(one, school) },
    {
      title: 'Applied',
      cell: ({ shouldApplyAutomatically }: Coupon) =>
        shouldApplyAutomatically === true ? 'automatically' : 'by code',
    },
    { title: 'Course', cell: ({ productId }: Coupon) => titles.get(productId) ?? productId },
    { title: 'Description', cell: ({ description }: Coupon) => description ?? '–' },
  ];
  return html`${field}<${Table} key=${key} items=${found} what="coupons" columns=${columns} />`;
}

function codeOf({ serviceDigitalProductCouponSlug: slug, id }: Coupon): string {
  return slug ?? id;
}

function discountOf({ couponTypeData = {} }: Coupon): string {
  const { type, percentOff } = couponTypeData;
  if (typeof percentOff === 'number') return `${percentOff} %`;
  return typeof type === 'string' ? type : '–';
}

function expiryOf({ expireAtIsoString: iso }: Coupon, { now, timeZone }: School): ComponentChildren {
  if (iso === undefined) return '–';
  return html`<span class="together">${dayOf(iso, timeZone)}</span> ${Date.parse(iso) <= now && html`<${Badge} tone="plain">expired<//>`}`;
}
