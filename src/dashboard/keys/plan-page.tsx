import { PLAN_NAMES, type Plan } from '../../accounts/account.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Operator } from '../../ui/site.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';

const FEATURES = [
  {
    what: 'Listings, offers, shared codes',
    about: 'People claim an offer and enter its code at your checkout.',
    starter: true,
  },
  {
    what: 'Redemption links',
    about: 'People arrive on your page with their claim in the link.',
    starter: true,
  },
  {
    what: 'Claims and campaigns',
    about: 'A list of claims with the label of each, to view or download.',
    starter: true,
  },
  {
    what: 'API keys',
    about: 'Your server verifies each claim, and each can be redeemed only once.',
    starter: false,
  },
  {
    what: 'Redemptions and rates',
    about: 'How many claims of each campaign were redeemed, counted from your server’s calls.',
    starter: false,
  },
];

const YES = <Badge tone="good">Yes</Badge>;
const NO = (
  <Badge tone="plain" hollow>
    No
  </Badge>
);

interface PlanPageProps {
  readonly plan: Plan;
  readonly isOperator: boolean;
}

export function PlanPage({ plan, isOperator }: PlanPageProps) {
  const header = (which: Plan) => (which === plan ? `${PLAN_NAMES[which]} (yours)` : PLAN_NAMES[which]);
  return (
    <>
      <PageHeader
        title="Plan"
        badge={<Badge tone="accent">{PLAN_NAMES[plan]}</Badge>}
        lead={`You are on the ${PLAN_NAMES[plan]} plan.`}
      />
      <div class="stack-loose">
        <Table
          caption="What each plan includes"
          rows={FEATURES}
          columns={[
            {
              header: 'What',
              isName: true,
              cell: ({ what, about }) => (
                <>
                  {what}
                  <span class="sub">{about}</span>
                </>
              ),
            },
            { header: header('starter'), cell: ({ starter }) => (starter ? YES : NO) },
            { header: header('studio'), cell: () => YES },
            { header: header('everything'), cell: () => YES },
          ]}
        />
        <Notice title="Only the operator of this marketplace can change your plan">
          <HowToMove isOperator={isOperator} /> Moving to Starter deletes nothing: your keys are refused until
          you move back, and people can still claim your offers.
        </Notice>
      </div>
    </>
  );
}

function HowToMove({ isOperator }: Pick<PlanPageProps, 'isOperator'>) {
  if (isOperator) {
    return (
      <>
        You are the operator: go to <a href="/desk/accounts">Desk → Accounts</a>.
      </>
    );
  }
  return (
    <>
      Ask <Operator>them</Operator> to change your plan.
    </>
  );
}
