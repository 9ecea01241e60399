<?php
require $argv[1];

// A child process handles each call. SIG_IGN makes the kernel reap child processes.
pcntl_signal(SIGCHLD, SIG_IGN);
while (($line = fgets(STDIN)) !== false) {
    if (pcntl_fork() === 0) {
        answer(json_decode($line, true));
        exit;
    }
}

function answer(array $call): void
{
    $applied = [];
    $apply = function (array $claim) use (&$applied) {
        $applied[] = $claim['offer_id'];
    };
    try {
        $status = isset($call['key'])
            ? Claimcheck\redeem($call['token'], $call['key'], $apply)
            : Claimcheck\verify($call['token'])['status'];
        $end = ['status' => $status];
    } catch (Throwable $error) {
        $end = ['error' => $error->getMessage()];
    }
    fwrite(STDOUT, json_encode($end + ['id' => $call['id'], 'applied' => $applied]) . "\n");
}
