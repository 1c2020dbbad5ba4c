import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SNIPPETS = join(import.meta.dirname, '../../../docs/snippets');

export const TOPICS = ['cancel', 'create', 'events', 'find', 'read', 'verify'] as const;

export interface Delivery {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** For a program around a snippet: what it verifies, what it reads, and the order that it creates a payment for. */
export interface Task {
  readonly deliveries: readonly Delivery[];
  /** Id of a payment of which a part has arrived. */
  readonly begun: string;
  readonly order: { readonly id: string; readonly attempt: number; readonly total: number };
}

/** `null` for a delivery that was refused, else the status of its intent. */
export interface Done {
  readonly statuses: readonly (string | null)[];
  readonly checkoutUrl: string;
  /** Ids of all events, what the snippet says to go on from, and ids of what came after that. */
  readonly events: readonly string[];
  readonly last: string;
  readonly again: readonly string[];
  /** Of the payment above: its id as found by its key, the id behind an unknown key, its status after it was cancelled. */
  readonly found: string;
  readonly unknown: string | null;
  readonly cancelled: string;
  /** What is missing of the payment that has begun, and what a read says is known of the other before a pick. */
  readonly missing: string;
  readonly unpicked: null;
}

const PYTHON = `
import json, sys
from cancel import cancel_payment
from create import create_payment
from events import catch_up
from find import find_payment
from read import read_payment
from verify import verify_webhook
task = json.load(sys.stdin)
def status(one):
    try:
        return verify_webhook(one["secret"], one["headers"], one["body"].encode())["data"]["intent"]["status"]
    except ValueError:
        return None
order = task["order"]
payment = create_payment(order["id"], order["attempt"], order["total"])
events, again = [], []
last = catch_up(None, lambda event: events.append(event["id"]))
catch_up(last, lambda event: again.append(event["id"]))
print(json.dumps({
    "statuses": [status(one) for one in task["deliveries"]], "checkoutUrl": payment["checkoutUrl"],
    "events": events, "last": last, "again": again,
    "found": find_payment(payment["idempotencyKey"])["id"], "unknown": find_payment("no such key"),
    "missing": read_payment(task["begun"])["payment"]["missing"], "unpicked": read_payment(payment["id"])["payment"],
    "cancelled": cancel_payment(payment["id"]),
}))
`;

const PHP = `<?php
require 'cancel.php';
require 'create.php';
require 'events.php';
require 'find.php';
require 'read.php';
require 'verify.php';
$task = json_decode(stream_get_contents(STDIN), true);
$statuses = array_map(function (array $one): ?string {
    try {
        return verifyWebhook($one['secret'], $one['headers'], $one['body'])['data']['intent']['status'];
    } catch (RuntimeException) {
        return null;
    }
}, $task['deliveries']);
['id' => $id, 'attempt' => $attempt, 'total' => $total] = $task['order'];
['checkoutUrl' => $checkoutUrl, 'id' => $paid, 'idempotencyKey' => $key] = createPayment($id, $attempt, $total);
$events = $again = [];
$last = catchUp(null, function (array $event) use (&$events): void { $events[] = $event['id']; });
catchUp($last, function (array $event) use (&$again): void { $again[] = $event['id']; });
$found = findPayment($key)['id'];
$unknown = findPayment('no such key');
$missing = readPayment($task['begun'])['payment']['missing'];
$unpicked = readPayment($paid)['payment'];
$cancelled = cancelPayment($paid);
$read = compact('found', 'unknown', 'missing', 'unpicked', 'cancelled');
echo json_encode(compact('statuses', 'checkoutUrl', 'events', 'last', 'again') + $read);
`;

const GO = `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"shop"
)

func main() {
	var task struct {
		Deliveries []struct {
			Secret  string
			Headers map[string]string
			Body    string
		}
		Begun string
		Order struct {
			ID      string
			Attempt int
			Total   float64
		}
	}
	if err := json.NewDecoder(os.Stdin).Decode(&task); err != nil {
		panic(err)
	}
	statuses := make([]*string, len(task.Deliveries))
	for i, one := range task.Deliveries {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		if event, err := shop.VerifyWebhook(one.Secret, headers, []byte(one.Body)); err == nil {
			statuses[i] = &event.Data.Intent.Status
		}
	}
	payment, err := shop.CreatePayment(task.Order.ID, task.Order.Attempt, task.Order.Total)
	if err != nil {
		panic(err)
	}
	events, again := []string{}, []string{}
	last, err := shop.CatchUp("", func(event shop.LoggedEvent) error { events = append(events, event.ID); return nil })
	if err != nil {
		panic(err)
	}
	if _, err := shop.CatchUp(last, func(event shop.LoggedEvent) error { again = append(again, event.ID); return nil }); err != nil {
		panic(err)
	}
	found, err := shop.FindPayment("order-" + task.Order.ID + "-1")
	if err != nil {
		panic(err)
	}
	unknown, err := shop.FindPayment("no such key")
	if err != nil {
		panic(err)
	}
	begun, err := shop.ReadPayment(task.Begun)
	if err != nil {
		panic(err)
	}
	unpicked, err := shop.ReadPayment(payment.ID)
	if err != nil {
		panic(err)
	}
	cancelled, err := shop.CancelPayment(payment.ID)
	if err != nil {
		panic(err)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"statuses": statuses, "checkoutUrl": payment.CheckoutURL, "events": events, "last": last, "again": again,
		"found": found.ID, "unknown": unknown, "cancelled": cancelled,
		"missing": begun.Payment.Missing, "unpicked": unpicked.Payment,
	})
}
`;

/** Languages that this machine may lack: the files of a program around the snippets, and how it is run. */
export const LANGUAGES = {
  Python: {
    ending: 'py',
    file: 'run.py',
    program: PYTHON,
    command: ['python3', 'run.py'],
    probe: '--version',
  },
  PHP: { ending: 'php', file: 'run.php', program: PHP, command: ['php', 'run.php'], probe: '--version' },
  Go: { ending: 'go', file: 'run/main.go', program: GO, command: ['go', 'run', './run'], probe: 'version' },
} as const;

export type Language = keyof typeof LANGUAGES;

export function isInstalled(language: Language): boolean {
  const { command, probe } = LANGUAGES[language];
  return spawnSync(command[0], [probe]).status === 0;
}

export async function runProgram(language: Language, task: Task, env: NodeJS.ProcessEnv): Promise<Done> {
  const { ending, file, program, command } = LANGUAGES[language];
  const folder = mkdtempSync(join(tmpdir(), 'rappen-snippets-'));
  try {
    mkdirSync(join(folder, 'run'));
    for (const name of TOPICS) {
      copyFileSync(join(SNIPPETS, `${name}.${ending}`), join(folder, `${name}.${ending}`));
    }
    writeFileSync(join(folder, file), program);
    if (ending === 'go') writeFileSync(join(folder, 'go.mod'), 'module shop\n\ngo 1.19\n');
    return JSON.parse(await run(command, JSON.stringify(task), env, folder)) as Done;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws with what it wrote to standard error, where it fails */
export function run(
  [program = '', ...args]: readonly string[],
  input: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env } };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program}: ${stderr}`, { cause: error }));
      else resolve(stdout);
    });
    child.stdin?.on('error', () => undefined).end(input);
  });
}
