//! Boards for tasks within one process.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use umbrail_control::{OfferedTask, TaskAnswer, TaskBoard};

/// How long a worker waits for a task.
const NAP: Duration = Duration::from_millis(5);

/// The boards of all units of one process.
#[derive(Debug, Default)]
pub(super) struct LocalBoards {
    state: Mutex<BoardsState>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct BoardsState {
    tasks: VecDeque<OfferedTask>,
    /// By board: the answers that have come.
    answers: HashMap<String, Vec<TaskAnswer>>,
    boards: u64,
}

impl LocalBoards {
    fn state(&self) -> MutexGuard<'_, BoardsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(
        &self,
        state: MutexGuard<'s, BoardsState>,
        time: Duration,
    ) -> MutexGuard<'s, BoardsState> {
        let waited = self.news.wait_timeout(state, time);
        waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state)
    }

    pub(super) fn board(&self) -> LocalBoard<'_> {
        let mut state = self.state();
        state.boards += 1;
        let name = state.boards.to_string();
        state.answers.insert(name.clone(), vec![]);
        LocalBoard { boards: self, name }
    }

    pub(super) fn task(&self) -> Option<OfferedTask> {
        let mut state = self.state();
        if state.tasks.is_empty() {
            state = self.wait(state, NAP);
        }
        state.tasks.pop_front()
    }

    pub(super) fn answer(&self, task: &OfferedTask, bytes: Option<Vec<u8>>) {
        let worker = format!("{:?}", std::thread::current().id());
        // A board that is gone needs no answer.
        if let Some(answers) = self.state().answers.get_mut(&task.reply) {
            answers.push(TaskAnswer { number: task.number, worker, bytes });
        }
        self.news.notify_all();
    }
}

/// The board of one unit.
pub(super) struct LocalBoard<'b> {
    boards: &'b LocalBoards,
    name: String,
}

impl TaskBoard for LocalBoard<'_> {
    fn helpers(&self) -> usize {
        // Threads of one process, of which most have units of their own.
        1
    }

    fn offer(&self, number: u64, task: &[u8]) -> bool {
        let task = OfferedTask { bytes: task.to_vec(), reply: self.name.clone(), number };
        self.boards.state().tasks.push_back(task);
        self.boards.news.notify_all();
        true
    }

    fn answers(&self, wait: Duration) -> Vec<TaskAnswer> {
        let mut state = self.boards.state();
        if !wait.is_zero() && state.answers.get(&self.name).is_none_or(Vec::is_empty) {
            state = self.boards.wait(state, wait);
        }
        state.answers.get_mut(&self.name).map(std::mem::take).unwrap_or_default()
    }
}

impl Drop for LocalBoard<'_> {
    fn drop(&mut self) {
        let mut state = self.boards.state();
        state.answers.remove(&self.name);
        state.tasks.retain(|task| task.reply != self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_go_to_the_board_of_their_task() {
        let boards = LocalBoards::default();
        let (one, two) = (boards.board(), boards.board());
        assert_eq!(
            (one.offer(7, b"a"), two.offer(8, b"b"), two.offer(9, b"c")),
            (true, true, true)
        );
        let (first, second) = (boards.task().unwrap(), boards.task().unwrap());
        assert_eq!((first.bytes.as_slice(), first.number, second.number), (&b"a"[..], 7, 8));
        boards.answer(&second, None);
        boards.answer(&first, Some(vec![1]));
        let answer = |board: &LocalBoard<'_>| {
            let answers = board.answers(Duration::ZERO);
            answers.into_iter().map(|one| (one.number, one.bytes)).collect::<Vec<_>>()
        };
        assert_eq!((answer(&one), answer(&two)), (vec![(7, Some(vec![1]))], vec![(8, None)]));
        drop(two);
        assert_eq!(boards.task(), None, "what is left of it is withdrawn");
        boards.answer(&second, None);
        assert_eq!(answer(&one), []);
    }
}
